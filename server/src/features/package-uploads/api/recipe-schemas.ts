import { closed, enumOf, nullable, Type, text, Uuid } from '../../../platform/schema.ts'

const recipeExample = {
  manifest: {
    name: 'nginx',
    version: 'latest',
    kind: 'software',
    operatingSystems: ['Debian'],
    source: { package: 'deb:nginx' },
  },
}

export const PackageRecipePlanRequest = closed(
  {
    recipes: Type.Array(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        examples: [recipeExample],
        description: '`manifest` and `file`, as the schema of recipes describes them',
      }),
      {
        minItems: 1,
        maxItems: 200,
        examples: [[recipeExample]],
        description: 'The recipes. Each is checked by itself.',
      },
    ),
  },
  { title: 'PackageRecipePlanRequest' },
)

const Blocker = closed(
  {
    property: nullable(text(1_000, 'file.url', 'The property of the recipe; null if it is none alone')),
    reason: text(
      1_000,
      'is not allowed: downloads.example.org is listed neither in MUSTER_PACKAGE_HOSTS nor in MUSTER_PACKAGE_PRIVATE_HOSTS.',
      'The end of a sentence about the property',
    ),
  },
  { title: 'PackageRecipeBlocker' },
)

export const PackageRecipePlan = closed(
  {
    items: Type.Array(
      closed(
        {
          action: enumOf(['Add', 'Change', 'None'], {
            title: 'PackageRecipeAction',
            description: 'None: the package exists and is what the recipe describes',
          }),
          packageId: nullable({
            ...Uuid,
            description: 'The package with the identity of the recipe; null if there is none',
          }),
          fields: Type.Array(text(200, 'commands'), {
            examples: [['commands']],
            description:
              'What differs: properties of the manifest, `file`, and `signature` if a signed package would lose it',
          }),
          blockers: Type.Array(Blocker, { description: 'What prevents the import' }),
        },
        { title: 'PackageRecipeComparison' },
      ),
      { description: 'One for each recipe, in their order' },
    ),
  },
  { title: 'PackageRecipePlan' },
)
