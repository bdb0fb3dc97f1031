// Objects whose properties are made when they are asked for.
//
// What was made is a property like others, which the engine finds without coming here; a Proxy would be asked each time. Nothing but
// `make` adds one, and none is enumerable.
#include "names.h"

#include <stdlib.h>

#include "engine.h"

typedef struct {
  JSValue make, called;
} names_t;

// Of objects that are functions and of those that are none.
static JSClassID callable_class, plain_class;

static names_t *names_of(JSValueConst object) {
  names_t *names = JS_GetOpaque(object, plain_class);
  return names ? names : JS_GetOpaque(object, callable_class);
}

static JSValue get(JSContext *context, JSValueConst object, JSAtom key, JSValueConst receiver) {
  (void)receiver;
  JSValue name = JS_AtomToValue(context, key);
  if (!JS_IsString(name)) {
    JS_FreeValue(context, name);
    return JS_UNDEFINED;
  }
  JSValue value = JS_Call(context, names_of(object)->make, JS_UNDEFINED, 1, (JSValueConst *)&name);
  JS_FreeValue(context, name);
  if (JS_IsException(value) || JS_IsUndefined(value)) return value;
  if (engine_extend(context, object, key, JS_DupValue(context, value))) return value;
  JS_FreeValue(context, value);
  return JS_EXCEPTION;
}

static int define(JSContext *context, JSValueConst object, JSAtom key, JSValueConst value, JSValueConst getter, JSValueConst setter,
                  int flags) {
  (void)object, (void)key, (void)value, (void)getter, (void)setter;
  if (!(flags & (JS_PROP_THROW | JS_PROP_THROW_STRICT))) return 0;
  JS_ThrowTypeError(context, "tools and their connections stay as they are");
  return -1;
}

static JSClassExoticMethods EXOTIC = {.get_property = get, .define_own_property = define};

static JSValue call(JSContext *context, JSValueConst object, JSValueConst self, int count, JSValueConst *arguments, int flags) {
  (void)flags;
  return JS_Call(context, names_of(object)->called, self, count, arguments);
}

static void finalize(JSRuntime *runtime, JSValueConst object) {
  names_t *names = names_of(object);
  if (!names) return;
  JS_FreeValueRT(runtime, names->make);
  JS_FreeValueRT(runtime, names->called);
  free(names);
}

static void mark(JSRuntime *runtime, JSValueConst object, JS_MarkFunc *mark_value) {
  names_t *names = names_of(object);
  if (!names) return;
  JS_MarkValue(runtime, names->make, mark_value);
  JS_MarkValue(runtime, names->called, mark_value);
}

void names_start(JSRuntime *runtime) {
  JSClassDef plain = {.class_name = "Tools", .finalizer = finalize, .gc_mark = mark, .exotic = &EXOTIC};
  JSClassDef callable = plain;
  callable.call = call;
  JS_NewClassID(runtime, &plain_class);
  JS_NewClassID(runtime, &callable_class);
  JS_NewClass(runtime, plain_class, &plain);
  JS_NewClass(runtime, callable_class, &callable);
}

JSValue names_object(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  bool is_callable = JS_IsFunction(context, arguments[1]);
  names_t *names = malloc(sizeof *names);
  if (!names) return JS_ThrowOutOfMemory(context);
  JSValue object = JS_NewObjectProtoClass(context, JS_NULL, is_callable ? callable_class : plain_class);
  if (JS_IsException(object)) {
    free(names);
    return object;
  }
  // So that it gets no other prototype either.
  JS_PreventExtensions(context, object);
  *names = (names_t){JS_DupValue(context, arguments[0]), JS_DupValue(context, arguments[1])};
  JS_SetOpaque(object, names);
  return object;
}
