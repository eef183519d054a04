import type { Texts } from './en.ts'

export const deGroups: Texts['groups'] = {
  title: 'Gruppen',
}
