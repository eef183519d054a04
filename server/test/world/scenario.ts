import type { Input } from './caller.ts'
import type { World } from './open-world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of inputs loses the types of each.
export type AnyInput = Input<any, any, any>

/** Creates what an operation needs to succeed, and returns the input to call it with. */
export type Scenario = (world: World) => Promise<AnyInput>
