//! What a script has beside the language.

use serde_json::json;

use super::{failure_of, run, value};

#[tokio::test(flavor = "multi_thread")]
async fn values_are_cloned_with_all_that_they_hold() {
    let source = "
        const map = new Map([['at', new Date(5)], ['of', new Set([1])], ['like', /x/gi], ['bytes', new Uint8Array([1, 2])]]);
        map.set('self', map).set('error', new RangeError('no', { cause: 1 })).set('list', [1, , 3]);
        const copy = structuredClone(map);
        return [copy !== map, copy.get('self') === copy, copy.get('at').getTime(), [...copy.get('of')], String(copy.get('like')),
          [...copy.get('bytes')], copy.get('error') instanceof RangeError, copy.get('error').cause, 1 in copy.get('list')]";

    let cloned = value(source).await;

    assert_eq!(cloned, json!([true, true, 5, [1], "/x/gi", [1, 2], true, 1, false]));
    let report = run("structuredClone({ f() {} })").await;
    assert_eq!(failure_of(&report).1.name, "DataCloneError");
}

#[tokio::test(flavor = "multi_thread")]
async fn text_becomes_bytes_and_back() {
    let source = "
        const bytes = (...list) => new Uint8Array(list);
        const stream = new TextDecoder();
        let strict;
        try { new TextDecoder('utf-8', { fatal: true }).decode(bytes(0xff)) } catch (error) { strict = error.name }
        return [[...new TextEncoder().encode('é€😀\\ud800')],
          new TextDecoder().decode(bytes(0xef, 0xbb, 0xbf, 104, 0xff, 0xe2, 0x82, 0xed, 0xa0, 0x80)),
          stream.decode(bytes(0xe2, 0x82), { stream: true }) + stream.decode(bytes(0xac)),
          strict, btoa('abc'), atob('YWJj'), new TextEncoder().encodeInto('a€', new Uint8Array(3)).written]";

    let converted = value(source).await;

    let encoded = [195, 169, 226, 130, 172, 240, 159, 152, 128, 239, 191, 189];
    let replaced = "h\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}";
    assert_eq!(converted, json!([encoded, replaced, "€", "TypeError", "YWJj", "abc", 1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn urls_are_parsed_as_the_standard_has_it() {
    let cases = [
        ("HTTP://user:pa ss@EXAMPLE.com:80/a/../b?x#y", "http://user:pa%20ss@example.com/b?x#y"),
        ("https:\\\\h\\p", "https://h/p"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[2001:db8:0:0:1::]/", "http://[2001:db8:0:0:1::]/"),
        ("http://[::ffff:1.2.3.4]:8080", "http://[::ffff:102:304]:8080/"),
        ("http://bücher.example/ü?ü#ü", "http://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC"),
        ("mailto:a@b?c", "mailto:a@b?c"),
        ("file:///a/%2e%2E/b", "file:///b"),
        ("  ht\ttp://a/ ", "http://a/"),
        ("data:text/plain,a b", "data:text/plain,a b"),
        ("foo://h:1/p", "foo://h:1/p"),
    ];
    let broken = [
        "foo",
        "http://",
        "http://a b/",
        "http://a:70000/",
        "http://1.2.3.4.5/",
        "http://[1::2::3]/",
    ];
    let source = format!(
        "return [{}.map((url) => new URL(url).href), {}.filter((url) => URL.canParse(url))]",
        json!(cases.map(|case| case.0)),
        json!(broken)
    );

    assert_eq!(value(&source).await, json!([cases.map(|case| case.1), []]));
}

#[tokio::test(flavor = "multi_thread")]
async fn relative_urls_find_their_base() {
    let cases = [
        ("../x?y", "http://h/a/x?y"),
        ("?q", "http://h/a/b/c?q"),
        ("#f", "http://h/a/b/c?d#f"),
        ("", "http://h/a/b/c?d"),
        ("//g", "http://g/"),
        ("/r", "http://h/r"),
        ("http:s", "http://h/a/b/s"),
        ("ftp://k/", "ftp://k/"),
    ];
    let source = format!(
        "return {}.map((url) => new URL(url, 'http://h/a/b/c?d#e').href)",
        json!(cases.map(|case| case.0))
    );

    assert_eq!(value(&source).await, json!(cases.map(|case| case.1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_url_and_its_parameters_change_together() {
    let source = "
        const url = new URL('https://h:443/p?a=1&b=2&a=3');
        url.searchParams.append('c', 'x y&z');
        url.searchParams.delete('b');
        const first = url.href;
        url.search = '?n=%20+';
        url.port = '8080'; url.hash = 'end'; url.pathname = '/q r'; url.protocol = 'http'; url.host = 'g';
        return [first, [...url.searchParams], url.href, url.origin, JSON.stringify({ url }),
          new URLSearchParams({ b: 1, a: '&' }).toString(), new URLSearchParams([['k', 'v']]).get('k')]";

    assert_eq!(
        value(source).await,
        json!([
            "https://h/p?a=1&a=3&c=x+y%26z",
            [["n", "  "]],
            "http://g:8080/q%20r?n=%20+#end",
            "http://g:8080",
            "{\"url\":\"http://g:8080/q%20r?n=%20+#end\"}",
            "b=1&a=%26",
            "v",
        ])
    );
}
