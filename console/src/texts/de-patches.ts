import type { Texts } from './en.ts'

export const dePatches: Texts['patches'] = {
  title: 'Patches',
}
