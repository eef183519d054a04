import type { Texts } from './en.ts'

export const deInfrastructure: Texts['infrastructure'] = {
  title: 'Infrastruktur',
}
