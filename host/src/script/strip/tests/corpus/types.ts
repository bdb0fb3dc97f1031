// Types of every kind, between statements that need each other's line breaks.
type Keys<T> = { readonly [K in keyof T as `on${Capitalize<K & string>}`]-?: T[K] extends infer U ? U : never };
type Fn = new (...args: any[]) => asserts args is [first: string, second?: number, ...rest: unknown[]];
let one = 1
interface Empty {}
(two())
let three: typeof import("./three", { with: { "resolution-mode": "import" } })
;[three] = [one as any]
var four = <const T extends readonly unknown[]>(x: T): T[number] => x[0]!, five = (y?: number): void => {}
unique: for (const six of [1, 2, 3] as const) {
  type Local = typeof six
  if (six > 1 && six < 3) continue unique
  declare let never: Local;
}
function two(): number;
function two(a?: unique symbol): number;
function two(a?: any): any {
  return a as number
  /1/g
}
declare module "m" { export default function f(): void }
namespace OnlyTypes { export interface A { b: OnlyTypes.A } export namespace C { type D = A } }
const seven = four<[1, 2]>([1, 2])
