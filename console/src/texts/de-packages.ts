import type { Texts } from './en.ts'

export const dePackages: Texts['packages'] = {
  title: 'Pakete',
}
