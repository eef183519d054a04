import { join } from 'node:path'

/** The setting with which a process of the service starts in half the time, as under `npm start`. */
export const compileCache = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/node') }
