import { stateSectionNames } from '../section-names.ts'
import type { StateSection } from '../state-section.ts'
import { customFieldsSection } from './custom-fields.ts'
import { definitionSections } from './definitions.ts'
import { groupAssignmentSections } from './group-assignments.ts'
import { groupCollectionsSection } from './group-collections.ts'
import { groupConvergenceSection } from './group-convergence.ts'
import { groupKindsSection } from './group-kinds.ts'
import { groupOptionsSection } from './group-options.ts'
import { groupRulesSection } from './group-rules.ts'
import { groupVariablesSection } from './group-variables.ts'
import { groupsSection } from './groups.ts'
import { packagesSection } from './packages.ts'
import { patchGroupSections } from './patch-groups.ts'
import { patchApprovalsSection, patchesSection } from './patches.ts'
import { principalsSection } from './principals.ts'
import { tagsSection } from './tags.ts'
import { webhooksSection } from './webhooks.ts'

/** All sections, in the order of their names. */
export const stateSections: readonly StateSection[] = [
  tagsSection,
  ...definitionSections,
  packagesSection,
  customFieldsSection,
  groupsSection,
  ...groupAssignmentSections,
  groupOptionsSection,
  groupVariablesSection,
  groupCollectionsSection,
  groupRulesSection,
  groupConvergenceSection,
  groupKindsSection,
  patchesSection,
  patchApprovalsSection,
  ...patchGroupSections,
  webhooksSection,
  principalsSection,
].sort((a, b) => stateSectionNames.indexOf(a.name) - stateSectionNames.indexOf(b.name))
