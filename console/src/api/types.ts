export type { components, paths } from '@muster/client'
