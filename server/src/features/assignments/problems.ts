import { problem } from '../../platform/problem.ts'

export const noAgentTemplateAssigned = problem('NoAgentTemplateAssigned', 404, 'No agent template is assigned.')

export const noOsImageSkuAssigned = problem('NoOsImageSkuAssigned', 404, 'No SKU of an operating system is assigned.')

export const noPxeBootImageAssigned = problem('NoPxeBootImageAssigned', 404, 'No PXE boot image is assigned.')

export const noPxeBootImageToActivate = problem(
  'NoPxeBootImageAssigned',
  409,
  'PXE needs a boot image, and none is assigned.',
)
