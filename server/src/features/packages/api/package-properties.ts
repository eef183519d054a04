import { nullable, Type, text } from '../../../platform/schema.ts'

/** The properties of the package that every object imported with a package shows. */
export const packageProperties = {
  name: Type.String({ examples: ['Windows 11 24H2'], description: 'Display name of the package' }),
  version: nullable(text(100, '1.2.0', 'Version of the package')),
  description: nullable(text(10_000, 'For the workstations of all branches')),
  operational: Type.Boolean({ examples: [true], description: 'Ready-to-Install flag of the package' }),
}

/** The properties of an image, from the manifest of an operating system or a language pack. */
export const imageProperties = {
  imagePath: nullable(text(2001, 'images/windows-11/install.wim', 'Path of the image in the package store')),
  osLanguage: nullable(text(35, 'de-DE', 'Language tag')),
  os: nullable(text(100, 'Windows 11', 'Operating system')),
  osType: nullable(text(50, 'Workstation', 'Type of the operating system')),
  osArchitecture: nullable(text(20, 'x64', 'Processor architecture')),
}
