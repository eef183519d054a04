import { readFileSync } from 'node:fs'

/**
 * Loaded into the service with `--import`: shifts its clock by the milliseconds in a file. It shifts only what this Node
 * process reads from `Date`. The clocks of PostgreSQL and of the machine stay as they are, and so do timers, which do not
 * follow the wall clock either when an administrator sets it.
 */
const file = process.env.FAULT_MATRIX_CLOCK_FILE ?? ''
const RealDate = Date
let offsetMs = 0

setInterval(() => {
  offsetMs = Number(readFileSync(file, 'utf8'))
}, 50).unref()

const now = () => RealDate.now() + offsetMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
