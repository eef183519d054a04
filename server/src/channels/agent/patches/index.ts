import type { AnyOperation } from '../../../platform/operation.ts'
import { putPatchScan } from './put-patch-scan.ts'

export const agentPatches: readonly AnyOperation[] = [putPatchScan]
