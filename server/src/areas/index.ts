import type { Area } from '../platform/operation.ts'
import { administration } from './administration/index.ts'
import { agentTemplates } from './agent-templates/index.ts'
import { audit } from './audit/index.ts'
import { authentication } from './authentication/index.ts'
import { catalog } from './catalog/index.ts'
import { computers } from './computers/index.ts'
import { customFields } from './custom-fields/index.ts'
import { depots } from './depots/index.ts'
import { enrolmentTokens } from './enrolment-tokens/index.ts'
import { groups } from './groups/index.ts'
import { languagePackImports } from './language-pack-imports/index.ts'
import { operatingSystemImports } from './operating-system-imports/index.ts'
import { packages } from './packages/index.ts'
import { patches } from './patches/index.ts'
import { pmGroups } from './pm-groups/index.ts'
import { pxeBootImages } from './pxe-bootimages/index.ts'
import { queues } from './queues/index.ts'
import { service } from './service/index.ts'
import { softwareClasses } from './software-classes/index.ts'
import { system } from './system/index.ts'
import { tags } from './tags/index.ts'
import { tasks } from './tasks/index.ts'
import { variableConfigurations } from './variable-configurations/index.ts'
import { variableDefinitions } from './variable-definitions/index.ts'

/** The whole API, in the order in which it is described. */
export const areas: readonly Area[] = [
  authentication,
  administration,
  computers,
  groups,
  packages,
  patches,
  pmGroups,
  operatingSystemImports,
  pxeBootImages,
  languagePackImports,
  agentTemplates,
  softwareClasses,
  variableDefinitions,
  variableConfigurations,
  tags,
  depots,
  enrolmentTokens,
  system,
  customFields,
  tasks,
  queues,
  catalog,
  audit,
  service,
]
