import { problem } from '../../../../platform/problem.ts'

export const packageNotAssigned = problem('PackageNotAssigned', 404, 'The package is not assigned to this group.', {
  constraint: 'distribution_options_assignment_fkey',
})

export const pxeBootImageNotAssigned = problem(
  'PxeBootImageNotAssigned',
  404,
  'The PXE boot image is not assigned to this group.',
)

export const osImageSkuNotAssigned = problem('OsImageSkuNotAssigned', 404, 'The SKU is not assigned to this group.')

export const agentTemplateNotAssigned = problem(
  'AgentTemplateNotAssigned',
  404,
  'The agent template is not assigned to this group.',
)

export const languagePackNotAssigned = problem(
  'LanguagePackNotAssigned',
  404,
  'The language pack is not assigned to this group.',
)

export const softwareClassNotAssigned = problem(
  'SoftwareClassNotAssigned',
  404,
  'The software class is not assigned to this group.',
)

export const coveredBySoftwareClass = problem(
  'CoveredBySoftwareClass',
  409,
  'The package belongs to a software class that is assigned to the group or to one of its ancestors.',
)

export const wrongEndpointForType = problem(
  'WrongEndpointForType',
  409,
  'Packages of this type are assigned through the endpoint that `endpoint` names.',
)
