import type { Texts } from './en.ts'

export const deComputers: Texts['computers'] = {
  title: 'Computer',
}
