import type { Area } from '../platform/operation.ts'
import { administration } from './administration/index.ts'
import { audit } from './audit/index.ts'
import { authentication } from './authentication/index.ts'
import { service } from './service/index.ts'

/** The whole API, in the order in which it is described. */
export const areas: readonly Area[] = [authentication, administration, audit, service]
