import { buildClientPackage } from '../../client/tools/build.ts'
import type { BuildPackages } from './product.ts'

/** Builds `@muster/client`, which programs in JavaScript and TypeScript install with npm. */
export const packageClient: BuildPackages = async (folder) => [await buildClientPackage(folder)]
