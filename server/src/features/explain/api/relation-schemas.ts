import { closed, enumOf, nullable, text, Uuid } from '../../../platform/schema.ts'
import { groupPath } from '../../groups/group-path.ts'

/** What a package requires, and what requires it on a computer. */
export const ExplainedRequirement = closed(
  {
    name: text(200, 'runtime', 'The required package name'),
    state: enumOf(['Met', 'Pulled', 'Awaited', 'NotApplicable', 'Unknown'], {
      description:
        'Met: a version is installed, or the computer gets one through an assignment. Pulled: an activation of the package ' +
        'brings it. Awaited: the package was imported when requirements pulled nothing in, and waits for it. NotApplicable: no package ' +
        'with the name is for the computer. Unknown: no package has the name',
    }),
    packageId: nullable({ ...Uuid, description: 'The package that is pulled in; null in other states' }),
    version: nullable(text(100, '17.0', 'Its version')),
  },
  { title: 'ExplainedRequirement' },
)

export const RequiringPackage = closed(
  {
    packageId: { ...Uuid, description: 'The assigned package' },
    name: text(255, 'Office tools', 'Its name'),
    version: nullable(text(100, '3.2', 'Its version')),
    groupId: { ...Uuid, description: 'Group that assigns it' },
    groupPath: groupPath('Path of that group'),
  },
  { title: 'ExplainedRequiringPackage' },
)
