import { closed, nullable, Type, text, Uuid } from '../../platform/schema.ts'

export const Package = closed(
  {
    id: Uuid,
    name: Type.String({ examples: ['Firefox ESR'] }),
    packageName: nullable(text(255, 'firefox-esr')),
    type: nullable(text(255, 'Software')),
    subType: nullable(text(255, 'PreOs')),
    version: nullable(text(255, '140.2.0')),
    author: nullable(text(255, 'Mozilla')),
    revision: nullable(text(255, '1')),
    operational: Type.Boolean({ examples: [true], description: 'The Ready-to-Install flag' }),
    os: Type.Array(Type.String(), { examples: [['Windows 11 x64']] }),
  },
  { title: 'Package' },
)
