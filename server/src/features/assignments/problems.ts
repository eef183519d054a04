import { problem } from '../../platform/problem.ts'

export const operatingSystemImportNotFound = problem(
  'OperatingSystemImportNotFound',
  404,
  'No operating system import has this id.',
)

export const osImageSkuNotFound = problem('OsImageSkuNotFound', 404, 'The operating system import has no such SKU.')

export const pxeBootImageNotFound = problem('PxeBootImageNotFound', 404, 'No PXE boot image has this id.')

export const languagePackNotFound = problem('LanguagePackNotFound', 404, 'No language pack has this id.')

export const agentTemplateNotFound = problem('AgentTemplateNotFound', 404, 'No agent template has this id.')

export const softwareClassNotFound = problem('SoftwareClassNotFound', 404, 'No software class has this id.')

export const noAgentTemplateAssigned = problem('NoAgentTemplateAssigned', 404, 'No agent template is assigned.')

export const noOsImageSkuAssigned = problem('NoOsImageSkuAssigned', 404, 'No SKU of an operating system is assigned.')

export const noPxeBootImageAssigned = problem('NoPxeBootImageAssigned', 404, 'No PXE boot image is assigned.')

export const noPxeBootImageToActivate = problem(
  'NoPxeBootImageAssigned',
  409,
  'PXE needs a boot image, and none is assigned.',
)
