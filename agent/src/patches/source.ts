import type { PatchSource } from '../platform/reports.ts'

export const noPatches: PatchSource = { scan: async () => undefined, unavailable: 'the inventory is switched off' }
