import { problem } from '../../platform/problem.ts'

export const noAgentTemplateAssigned = problem('NoAgentTemplateAssigned', 404, 'No agent template is assigned.')

export const noOsImageSkuAssigned = problem(
  'NoOsImageSkuAssigned',
  404,
  'No operating system edition (SKU) is assigned.',
)

export const noPxeBootImageAssigned = problem('NoPxeBootImageAssigned', 404, 'No PXE boot image is assigned.')

export const pxeNotApplicable = problem(
  'PxeNotApplicable',
  409,
  'The computer does not support PXE, or its boot image or operating system is for another architecture. ' +
    'GET /api/computer/{id}/os-deployment-readiness says which.',
)

export const noPxeBootImageToActivate = problem(
  'NoPxeBootImageAssigned',
  409,
  'An activation with PXE needs a PXE boot image. Assign one to a group of the computer first.',
)
