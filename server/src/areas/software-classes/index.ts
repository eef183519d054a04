import type { Area } from '../../platform/operation.ts'
import { getSoftwareClass } from './get-software-class.ts'
import { listSoftwareClassGroups } from './list-software-class-groups.ts'
import { listSoftwareClasses } from './list-software-classes.ts'
import { searchSoftwareClasses } from './search-software-classes.ts'

export const softwareClasses: Area = {
  name: 'Software Classes',
  description: 'Packages that are assigned together.',
  operations: [listSoftwareClasses, searchSoftwareClasses, getSoftwareClass, listSoftwareClassGroups],
}
