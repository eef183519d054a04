import { type Advisory, buildAdvisory } from './csaf.ts'

type FixedPackage = { id: string; purl?: string; name?: string }

/** A release of a distribution with fixed packages, each with a package URL or only a name. */
export type FixedRelease = { name: string; cpe?: string; packages: readonly FixedPackage[] }

/** An advisory of a distribution: the fixed products are packages as components of releases. */
export function buildDistributionAdvisory(
  advisory: Advisory & { publisher?: string },
  releases: readonly FixedRelease[],
) {
  const built = buildAdvisory(advisory)
  const [vulnerability] = built.vulnerabilities
  const ids = releases.flatMap(({ name, packages }) => packages.map(({ id }) => `${name}:${id}`))
  const [scores] = vulnerability?.scores ?? []
  const namespace = advisory.publisher ?? built.document.publisher.namespace
  return {
    ...built,
    document: { ...built.document, publisher: { ...built.document.publisher, namespace } },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'Distributor',
          branches: releases.flatMap(({ name, cpe, packages }) => [
            {
              category: 'product_name',
              name,
              product: {
                name,
                product_id: name,
                ...(cpe && { product_identification_helper: { cpe } }),
              },
            },
            ...packages.map(({ id, purl, name: label = id }) => ({
              category: 'product_version',
              name: label,
              product: {
                name: label,
                product_id: id,
                ...(purl && { product_identification_helper: { purl } }),
              },
            })),
          ]),
        },
      ],
      relationships: releases.flatMap(({ name, packages }) =>
        packages.map(({ id }) => ({
          category: 'default_component_of',
          full_product_name: { name: `${id} as a component of ${name}`, product_id: `${name}:${id}` },
          product_reference: id,
          relates_to_product_reference: name,
        })),
      ),
    },
    vulnerabilities: [
      {
        ...vulnerability,
        product_status: { fixed: ids },
        remediations: [{ category: 'vendor_fix', details: 'Update the packages.', product_ids: ids }],
        scores: [{ ...scores, products: ids }],
      },
    ],
  }
}
