import type { Texts } from './en.ts'

export const deOverview: Texts['overview'] = {
  title: 'Übersicht',
}
