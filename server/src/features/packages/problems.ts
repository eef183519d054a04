import { problem } from '../../platform/problem.ts'

export const packageNotFound = problem('PackageNotFound', 404, 'No package has this id.')

export const noUninstallCommand = problem('NoUninstallCommand', 409, 'The package has no command that uninstalls it.')

export const operatingSystemImportNotFound = problem(
  'OperatingSystemImportNotFound',
  404,
  'No operating system has this id.',
)

export const osImageSkuNotFound = problem(
  'OsImageSkuNotFound',
  404,
  'The operating system has no edition (SKU) with this id.',
)

export const pxeBootImageNotFound = problem('PxeBootImageNotFound', 404, 'No PXE boot image has this id.')

export const languagePackNotFound = problem('LanguagePackNotFound', 404, 'No language pack has this id.')

export const agentTemplateNotFound = problem('AgentTemplateNotFound', 404, 'No agent template has this id.')

export const softwareClassNotFound = problem('SoftwareClassNotFound', 404, 'No software class has this id.')

export const packageNotReleased = problem(
  'PackageNotReleased',
  409,
  'The package is not Ready to Install, or its files have changed since its import. Release it first.',
)
