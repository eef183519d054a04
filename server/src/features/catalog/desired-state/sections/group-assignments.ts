import { sql } from 'kysely'
import type { PackageReference } from '../../api/desired-state/document-schemas.ts'
import { packageReference } from '../group-entries.ts'
import type { NamedPackage, PackageNames } from '../package-names.ts'
import type { ChangeContext, StateReference, StateSection } from '../state-section.ts'
import { type AssignedObject, assignmentSection } from './assignment-section.ts'

const packageId = ({ name }: AssignedObject, { packages }: ChangeContext) => ({ packageId: packages.find(name)?.id })

/** Packages in the order of their names, each by the shortest reference. */
const toReferences = (objects: AssignedObject[], packages: PackageNames): PackageReference[] =>
  objects
    .flatMap(({ name }) => packages.find(name) ?? [])
    .sort((a, b) => packages.rankOf(a) - packages.rankOf(b))
    .map(({ reference }) => reference)

const toNames = (references: PackageReference[] | undefined, packages: PackageNames): AssignedObject[] =>
  (references ?? []).map((reference) => ({ name: packages.labelOf(reference) }))

const toName = (reference: PackageReference | undefined, packages: PackageNames): AssignedObject[] =>
  reference ? toNames([reference], packages) : []

const ofPackage = { object: sql<string>`assignment.package_id`, isPackage: true, reference: packageReference }

const named = (section: StateReference['section'], label: string) => (name: string) => ({
  section,
  key: name.toLowerCase(),
  name: `The ${label} ${name}`,
})

const sortedNames = (objects: AssignedObject[]) =>
  objects.map(({ name }) => name).sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

const editionOf = (found: NamedPackage | undefined, edition: string | undefined) =>
  found?.skus.find((sku) => sku.edition.toLowerCase() === edition?.toLowerCase())

export const groupAssignmentSections: readonly StateSection[] = [
  assignmentSection({
    ...ofPackage,
    section: 'groupPackages',
    kind: 'package',
    read: ({ packages: references }, packages) => toNames(references, packages),
    write(group, objects, packages) {
      group.packages = toReferences(objects, packages)
    },
    assign: { operation: 'assignGroupPackage', body: packageId },
    remove: { operation: 'removeGroupPackage', params: packageId },
  }),
  assignmentSection({
    section: 'groupSoftwareClasses',
    kind: 'softwareClass',
    object: sql<string>`(select name from software_classes where id = assignment.class_id)`,
    reference: named('softwareClasses', 'software class'),
    read: ({ softwareClasses = [] }) => softwareClasses.map((name) => ({ name })),
    write(group, objects) {
      group.softwareClasses = sortedNames(objects)
    },
    assign: { operation: 'assignGroupSoftwareClass', body: idAs('classId', 'softwareClasses') },
    remove: { operation: 'removeGroupSoftwareClass', params: idAs('classId', 'softwareClasses') },
  }),
  assignmentSection({
    section: 'groupVariableConfigurations',
    kind: 'variableConfiguration',
    object: sql<string>`(select name from variable_configurations where id = assignment.configuration_id)`,
    reference: named('variableConfigurations', 'variable configuration'),
    read: ({ variableConfigurations = [] }) => variableConfigurations.map((name) => ({ name })),
    write(group, objects) {
      group.variableConfigurations = sortedNames(objects)
    },
    assign: { operation: 'assignGroupVariableConfiguration', body: idAs('configId', 'variableConfigurations') },
    remove: { operation: 'removeGroupVariableConfiguration', params: idAs('configId', 'variableConfigurations') },
  }),
  assignmentSection({
    ...ofPackage,
    section: 'groupLanguagePacks',
    kind: 'languagePack',
    read: ({ languagePacks }, packages) => toNames(languagePacks, packages),
    write(group, objects, packages) {
      group.languagePacks = toReferences(objects, packages)
    },
    assign: { operation: 'assignGroupLanguagePack', body: packageId },
    remove: { operation: 'removeGroupLanguagePack', params: packageId },
  }),
  assignmentSection({
    ...ofPackage,
    section: 'groupAgentTemplates',
    kind: 'agentTemplate',
    read: ({ agentTemplate }, packages) => toName(agentTemplate, packages),
    write(group, objects, packages) {
      const [reference] = toReferences(objects, packages)
      if (reference) group.agentTemplate = reference
    },
    assign: { operation: 'assignGroupAgentTemplate', body: packageId },
    remove: { operation: 'removeGroupAgentTemplate', params: packageId },
  }),
  assignmentSection({
    ...ofPackage,
    section: 'groupOperatingSystems',
    kind: 'osImageSku',
    object: sql<string>`(select package_id from os_image_skus where id = assignment.sku_id)`,
    edition: sql<string>`(select edition from os_image_skus where id = assignment.sku_id)`,
    read({ operatingSystem }, packages) {
      if (!operatingSystem) return []
      const { edition, ...reference } = operatingSystem
      return [{ name: packages.labelOf(reference), edition }]
    },
    write(group, [assigned], packages) {
      const found = packages.find(assigned?.name ?? '')
      if (found) group.operatingSystem = { ...found.reference, edition: assigned?.edition ?? '' }
    },
    assign: { operation: 'assignGroupOsImageSku', body: skuId },
    remove: {
      operation: 'removeGroupOsImageSku',
      params: (assigned, context) => ({ skuId: skuId(assigned, context).skuId }),
    },
  }),
  assignmentSection({
    ...ofPackage,
    section: 'groupPxeBootImages',
    kind: 'pxeBootImage',
    object: sql<string>`(select package_id from pxe_boot_images where id = assignment.image_id)`,
    read: ({ pxeBootImage }, packages) => toName(pxeBootImage, packages),
    write(group, objects, packages) {
      const [reference] = toReferences(objects, packages)
      if (reference) group.pxeBootImage = reference
    },
    assign: { operation: 'assignGroupPxeBootImage', body: pxeId },
    remove: { operation: 'removeGroupPxeBootImage', params: pxeId },
  }),
]

function idAs(property: string, section: 'softwareClasses' | 'variableConfigurations') {
  return ({ name }: AssignedObject, { idOf }: ChangeContext) => ({ [property]: idOf(section, name.toLowerCase()) })
}

function skuId({ name, edition }: AssignedObject, { packages }: ChangeContext) {
  const found = packages.find(name)
  return { packageId: found?.id, skuId: editionOf(found, edition)?.id }
}

function pxeId({ name }: AssignedObject, { packages }: ChangeContext) {
  return { pxeId: packages.find(name)?.pxeId }
}
