import { join } from 'node:path'

/**
 * A path of the system that has the packages. MUSTER_SYSTEM_ROOT names the folder of another one, as an image that is being built;
 * the tools of rpm have options of their own for it.
 */
export const inRoot = (path: string) => join(process.env.MUSTER_SYSTEM_ROOT || '/', path)
