import { join } from 'node:path'

/** Lets a process of the service start in half the time, as `npm start` does. */
export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/node') }
