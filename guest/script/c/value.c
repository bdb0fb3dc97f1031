// Between the values of the engine and the strings of the bindings.
#include "value.h"

#include <stdlib.h>
#include <string.h>

// In place of the one of the bindings: with one byte more, so that a text of the host can be closed with a zero, which the
// engine's parser of JSON wants.
__attribute__((__export_name__("cabi_realloc"))) void *cabi_realloc(void *old, size_t old_size, size_t align, size_t size) {
  (void)old_size, (void)align;
  void *block = realloc(old, size + 1);
  if (!block) __builtin_trap();
  return block;
}

bool value_define(JSContext *context, JSValueConst object, const char *name, JSValue value) {
  if (JS_IsException(value)) return false;
  return JS_DefinePropertyValueStr(context, object, name, value, JS_PROP_C_W_E) >= 0;
}

JSValue value_from_text(JSContext *context, const workflow_string_t *text) {
  return JS_NewStringLen(context, (const char *)text->ptr, text->len);
}

JSValue value_from_json(JSContext *context, const workflow_string_t *json) {
  if (json->len == 0) return JS_ThrowSyntaxError(context, "an empty text is no JSON");
  json->ptr[json->len] = 0;
  return JS_ParseJSON(context, (const char *)json->ptr, json->len, "callgate:answer");
}

// Replaces what UTF-8 can't say: the engine writes a lone surrogate as three bytes from ED A0 80 to ED BF BF.
static void replace_surrogates(uint8_t *bytes, size_t length) {
  for (size_t at = 0; at + 2 < length; at++) {
    if (bytes[at] == 0xed && bytes[at + 1] >= 0xa0) memcpy(bytes + at, "\xef\xbf\xbd", 3);
  }
}

bool value_to_text(JSContext *context, JSValueConst value, workflow_string_t *text) {
  size_t length;
  const char *bytes = JS_ToCStringLen(context, &length, value);
  if (!bytes) return false;
  workflow_string_dup_n(text, bytes, length);
  JS_FreeCString(context, bytes);
  replace_surrogates(text->ptr, text->len);
  return true;
}
