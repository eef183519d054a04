import type { Texts } from './en.ts'

export const deIssues: Texts['issues'] = {
  title: 'Probleme',
}
