import type { Texts } from './en.ts'

export const deRollouts: Texts['rollouts'] = {
  title: 'Verteilungen',
}
