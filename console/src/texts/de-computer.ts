import type { Texts } from './en.ts'

export const deComputer: Texts['computer'] = {
  title: 'Computer',
}
