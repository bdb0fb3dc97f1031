//! TypeScript and the JavaScript that it becomes.

use super::{assert_stands_where_it_stood, stripped};

/// The right side has one space where any number of them may be: where signs stand is checked by itself.
#[track_caller]
fn check(pairs: &[(&str, &str)]) {
    for (typed, plain) in pairs {
        let whole = stripped(typed);

        assert_eq!(squeezed(&whole), squeezed(plain), "of {typed}");
        assert_stands_where_it_stood(typed, &whole);
    }
}

fn squeezed(text: &str) -> String {
    let lines = text.split('\n');
    let words =
        lines.map(|line| line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
    words.map(|words| words.join(" ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn annotations_become_spaces() {
    check(&[
        ("\u{feff}let a: A", "\u{feff}let a"),
        ("let a: number = 1;", "let a = 1;"),
        ("let a: string, b: A<B> | null", "let a , b"),
        ("let a!: number;", "let a ;"),
        ("const { a, b }: { a: 1; b: 2 } = c;", "const { a, b } = c;"),
        ("function f(a: A, b?: B, ...c: C[]): D { }", "function f(a , b , ...c ) { }"),
        ("function f(this: A, a: B) {}", "function f( a ) {}"),
        ("function f(this: A) {}", "function f( ) {}"),
        ("function f(a): a is string { return true }", "function f(a) { return true }"),
        ("function f(a): asserts a {}", "function f(a) {}"),
        ("const f = (a: A = 1, { b }: B): C => a", "const f = (a = 1, { b } ) => a"),
        ("const f = async <T,>(a: T) => a", "const f = async (a ) => a"),
        ("try {} catch (e: unknown) {}", "try {} catch (e ) {}"),
        ("for (const a: A of b as C[]) {}", "for (const a of b ) {}"),
        ("let a /* one */ : /* two */ A /* three */ = 1", "let a /* one */ /* three */ = 1"),
        ("const f = (a?: number) => a", "const f = (a ) => a"),
        (
            "const o = { f<T>(a: T): T { return a }, get x(): A { return 1 } }",
            "const o = { f (a ) { return a }, get x() { return 1 } }",
        ),
    ]);
}

#[test]
fn expressions_lose_what_is_said_of_their_types() {
    check(&[
        ("f(a as B, c satisfies D)", "f(a , c )"),
        ("a!.b![0]!()", "a .b [0] ()"),
        ("a?.b!.c", "a?.b .c"),
        ("(a as any).b = <C>d;", "(a ).b = d;"),
        ("f<A>(1), new B<C, D>(), g?.<E>(2), h<F>`x`", "f (1), new B (), g?. (2), h `x`"),
        ("const f = g<A>;", "const f = g ;"),
        ("const a = [1, 2] as const", "const a = [1, 2]"),
        ("const a = b as unknown as C;", "const a = b ;"),
        ("const f = <T>(a: T) => a", "const f = (a ) => a"),
        ("const f = <T,>(a: T): T => a", "const f = (a ) => a"),
        ("f<A<B<C>>>(1)", "f (1)"),
        ("a = b < c && d > (e)", "a = b < c && d > (e)"),
        ("a < b || c >> d", "a < b || c >> d"),
        ("(a as B) = 1; (c!) = 2; d! += 3", "(a ) = 1; (c ) = 2; d += 3"),
        ("async () => { await f<A>() }", "async () => { await f () }"),
        ("const a = await g() as B; return a satisfies C", "const a = await g() ; return a"),
        ("`${a as B}`", "`${a }`"),
    ]);
}

#[test]
fn await_is_no_name_outside_of_functions_either() {
    check(&[
        ("await (f() as A)", "await (f() )"),
        ("await (async (): Promise<A> => a)()", "await (async () => a)()"),
        ("await\n(a as B)", "await\n(a )"),
        ("const [a] = await [b as C]", "const [a] = await [b ]"),
        ("const a = await /b/.exec(c as D)", "const a = await /b/.exec(c )"),
        ("const a: A = await +b + await `c`", "const a = await +b + await `c`"),
        ("for await (const a of b as C[]) {}", "for await (const a of b ) {}"),
        ("if (a) { for await (const b of c!) {} }", "if (a) { for await (const b of c ) {} }"),
    ]);
}

#[test]
fn declarations_of_types_disappear() {
    check(&[
        ("interface A { b: C }", ""),
        ("type A<B> = B extends C ? D : E;", ""),
        ("export type A = B; export interface C {}", ""),
        ("declare const a: A; b", " b"),
        ("declare function f(): void\ndeclare class C {}\ndeclare enum E {}", "\n\n"),
        ("declare module 'm' { const a: 1 }\ndeclare global { interface A {} }\na", "\n\na"),
        ("declare namespace A { let b: C }\nnamespace D { export type E = F }\na", "\n\na"),
        ("abstract class A { abstract b(): void; abstract c: D; e = 1 }", " class A { e = 1 }"),
        ("function f(): void;\nfunction f(a?: A): void {}", "\nfunction f(a ) {}"),
        (
            "export default function f(): void;\nexport default function f(a?: A) {}",
            "\nexport default function f(a ) {}",
        ),
        ("export default interface A {}", ""),
        ("export default abstract class A {}", "export default class A {}"),
        ("export as namespace A;", ""),
    ]);
}

#[test]
fn imports_and_exports_of_types_disappear() {
    check(&[
        ("import type { A } from 'a'; b", " b"),
        ("import type A from 'a';", ""),
        ("import type A = require('a');", ""),
        ("import { type A, b } from 'c'", "import { b } from 'c'"),
        ("import { a, type B } from 'c'", "import { a, } from 'c'"),
        ("import { type A } from 'c'", "import { } from 'c'"),
        ("import { type } from 'c'", "import { type } from 'c'"),
        ("import { type as as } from 'c'", "import { type as as } from 'c'"),
        ("import { type type as as } from 'c'", "import { } from 'c'"),
        (
            "export type { A } from 'a'; export type * from 'b'; export { type C, d }",
            " export { d }",
        ),
        ("let a; export { a, type B }", "let a; export { a, }"),
    ]);
}

#[test]
fn classes_keep_what_runs() {
    check(&[
        ("class A<T> extends B<C> implements D, E<F> { }", "class A extends B { }"),
        (
            "class A { private readonly b: C = 1; static override d?: E; f!: G }",
            "class A { b = 1; static d ; f }",
        ),
        (
            "class A { public async *b(): C {} protected get d(): E { return 1 } }",
            "class A { async *b() {} get d() { return 1 } }",
        ),
        ("class A { [key: string]: B; c = 1 }", "class A { c = 1 }"),
        (
            "class A { constructor(a: B); constructor(a: any) { } }",
            "class A { constructor(a ) { } }",
        ),
        ("class A { declare b: C; d() {} }", "class A { d() {} }"),
        ("class A { b?(): C; d?() {} }", "class A { d () {} }"),
        ("class A { #b: C = 1; static { let d: E } }", "class A { #b = 1; static { let d } }"),
        ("class A { ['b']?: C; readonly ['d']!: E }", "class A { ['b'] ; ['d'] }"),
        (
            "class A { readonly = 1; declare = 2; abstract() {} }",
            "class A { readonly = 1; declare = 2; abstract() {} }",
        ),
        ("const A = class<T> implements B { }", "const A = class { }"),
    ]);
}

#[test]
fn what_a_line_break_ended_stays_ended() {
    check(&[
        ("const a = 1\ninterface B {}\n(c)", "const a = 1\n;\n(c)"),
        ("const a = 1\ntype B = C\n[d]", "const a = 1\n;\n[d]"),
        ("const a = 1\ntype B = C\nd()", "const a = 1\n\nd()"),
        ("a()\ndeclare let b: C\ntype D = E\n`f`", "a()\n;\n;\n`f`"),
        ("a as any\n(b)", "a ;\n(b)"),
        ("let a: B\n(c)", "let a;\n(c)"),
        ("let a = b!\n;(c)", "let a = b\n;(c)"),
        ("return a as B\n(c)", "return a ;\n(c)"),
        ("a satisfies A\n++b", "a ;\n++b"),
        ("a as any\nb", "a\nb"),
        ("if (a) b as C\nelse d", "if (a) b\nelse d"),
        ("class A { a: B\n['c'] = 1 }", "class A { a;\n['c'] = 1 }"),
        ("class A { static: B\nc() {} }", "class A { static;\nc() {} }"),
        ("class A { a = 1\npublic ['b'] = 2 }", "class A { a = 1\n; ['b'] = 2 }"),
        ("class A { a = 1\nprivate *b() {} }", "class A { a = 1\n; *b() {} }"),
        ("class A { a = {}\ndeclare b: C\n['d'] = 1 }", "class A { a = {}\n;\n['d'] = 1 }"),
        ("type A = B; 'use strict'", "; 'use strict'"),
    ]);
}

#[test]
fn an_arrow_stays_on_its_line() {
    check(&[
        ("const f = (a): {\n  b: C\n} => a", "const f = (a\n\n) => a"),
        ("const f = async <\n  T,\n>(a: T) => a", "const f = async (\n\n a ) => a"),
        ("const f = async (): Promise<\n  A\n> => 1", "const f = async (\n\n) => 1"),
        ("return <\n  T,\n>(a: T): T => a", "return (\n\n a ) => a"),
        ("const f = (a:\n  B) => a", "const f = (a\n ) => a"),
    ]);
}

#[test]
fn a_column_counts_utf_16_units() {
    let typed = "let a: \"\u{e9}\u{1f600}\u{4e2d}\" = '\u{1f600}'; b";

    let plain = stripped(typed);

    assert_eq!(plain, "let a         = '\u{1f600}'; b");
    assert_stands_where_it_stood(typed, &plain);
}

#[test]
fn javascript_stays_as_it_is() {
    for source in [
        "#!/usr/bin/env node\nconst a = 1",
        "a = b ? (c) : d => e",
        "for (let i = 0; i < n; i++) { x = i << 2 >> 1 >>> 3 }",
        "const re = /<T>\\/[/(]/g, s = `a ${`b ${c}`} < d`",
        "type = 1; declare = 2; as = satisfies; abstract\nnamespace\nasync () => {}",
        "label: for (;;) { continue label }",
        "class A { static async *#a() {} get = 1; set; static }",
        "import a, * as b from 'c'; export * from 'd'; export { a as default }",
        "const { data } = await tools.files.read({ path: '\\u{1f600}' }); return data?.a ?? 1n ** 2n",
        "\r\n\ta\u{2028}b",
    ] {
        assert_eq!(stripped(source), source);
    }
}
