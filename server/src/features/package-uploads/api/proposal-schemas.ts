import { confidences, type ProposedManifest, requirementKinds } from '@muster/installers'
import type { InstallerFacts } from '@muster/installers/reading'
import { closed, enumOf, Type, text } from '../../../platform/schema.ts'

const confidence = enumOf(confidences, {
  title: 'ProposalConfidence',
  description:
    'certain: the file says so. likely: it follows from a rule with exceptions. guess: a person should check it.',
})

const reason = text(1_000, 'From the control file of the package', 'Why it is proposed')

export const ProposedManifestLine = closed(
  {
    property: text(200, 'version', 'Path of a property of the manifest, such as commands.install.argv'),
    value: Type.Unsafe<unknown>({
      examples: ['2.10-3'],
      description: 'The proposed value, of the type of the property',
    }),
    confidence,
    reason,
    isImplied: Type.Boolean({
      examples: [false],
      description: 'Whether the agent does this by itself, so the manifest does not contain it',
    }),
  },
  { title: 'ProposedManifestLine' },
)

export const ProposedRequirement = closed(
  {
    kind: enumOf(requirementKinds, { title: 'ProposedRequirementKind' }),
    value: text(10_000, 'libc6 (>= 2.36)', 'What a computer must have'),
    confidence,
    reason,
  },
  { title: 'ProposedRequirement' },
)

const manifestExample = {
  name: 'hello',
  version: '2.10-3',
  operatingSystems: ['debian', 'ubuntu'],
  onlyFor: { architectures: ['x64'] },
  commands: {
    install: { argv: ['apt-get', '-y', 'install', './hello_2.10-3_amd64.deb'] },
    detect: { dpkg: { package: 'hello', minVersion: '2.10-3' } },
  },
  kind: 'software',
} as const

export const PackageProposal = closed(
  {
    fileName: text(255, 'hello_2.10-3_amd64.deb', 'The name that the file must have in the package'),
    facts: Type.Unsafe<InstallerFacts>({
      type: 'object',
      additionalProperties: true,
      examples: [
        {
          format: 'deb',
          name: 'hello',
          version: '2.10-3',
          architecture: 'amd64',
          dependencies: ['libc6 (>= 2.36)'],
          scripts: [{ name: 'postinst', text: '#!/bin/sh\nset -e\n', isComplete: true }],
          fileName: 'hello_2.10-3_amd64.deb',
          fileBytes: 52_936,
        },
      ],
      description: 'What the file says about itself, depending on its format. Nothing of it is verified.',
    }),
    manifest: Type.Unsafe<ProposedManifest['manifest']>({
      type: 'object',
      additionalProperties: true,
      examples: [manifestExample],
      description: 'A valid manifest with all lines that are not implied',
    }),
    lines: Type.Array(ProposedManifestLine, { description: 'The lines of the manifest' }),
    requirements: Type.Array(ProposedRequirement, {
      description: 'What else the software needs of a computer. A manifest cannot express it.',
    }),
    warnings: Type.Array(text(10_000, 'The package runs its own scripts as root: postinst.', 'What to know before')),
    notes: Type.Array(
      text(100_000, 'Signed by Example GmbH. The signature was not verified.', 'What else the file says'),
    ),
  },
  { title: 'PackageProposal' },
)
