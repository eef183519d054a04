import { closed, enumOf, Instant, Type, text } from '../../../platform/schema.ts'

const Property = closed(
  {
    name: enumOf(['muster:platform', 'muster:sourcePackage', 'muster:computers'], {
      description:
        'muster:platform: the release of the distribution. muster:sourcePackage: name and version of the package from which it is ' +
        'built. muster:computers: on how many computers it is installed.',
    }),
    value: text(400, 'openssl@3.0.15-1~deb12u1'),
  },
  { title: 'SbomProperty' },
)

export const SbomComponent = closed(
  {
    type: enumOf(['library', 'application'], {
      description:
        'library: a package of a language, or one of dpkg or rpm that was reported with its source package. application: anything else.',
    }),
    name: text(255, 'libssl3'),
    version: Type.Optional(text(100, '3.0.15-1~deb12u1')),
    publisher: Type.Optional(text(255, 'Debian OpenSSL Team')),
    purl: Type.Optional(
      text(
        1_500,
        'pkg:deb/debian/libssl3@3.0.15-1~deb12u1?distro=debian-12',
        'Package URL of a package of dpkg, rpm or a language',
      ),
    ),
    properties: Type.Array(Property),
  },
  { title: 'SbomComponent' },
)

const Subject = closed(
  {
    type: enumOf(['device', 'platform'], { description: 'device: a computer. platform: several of them.' }),
    name: text(4_000, 'pc-0017'),
  },
  { title: 'SbomSubject' },
)

/** A bill of materials in the format of CycloneDX 1.6, whose names these are. */
export const Sbom = closed(
  {
    bomFormat: enumOf(['CycloneDX']),
    specVersion: enumOf(['1.6']),
    version: Type.Integer({ minimum: 1, maximum: 1, examples: [1] }),
    metadata: closed(
      {
        timestamp: Type.Optional({
          ...Instant,
          description: 'Of a computer, its last inventory. Missing without one.',
        }),
        component: Subject,
      },
      { title: 'SbomMetadata' },
    ),
    components: Type.Array(SbomComponent),
    compositions: Type.Array(
      closed(
        {
          aggregate: enumOf(['unknown', 'incomplete'], {
            description:
              'unknown: everything that inventories have reported; there may be software that no inventory finds. incomplete: ' +
              'more than that was left out.',
          }),
        },
        { title: 'SbomComposition' },
      ),
    ),
  },
  { title: 'Sbom' },
)
