import { useParams } from 'react-router'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { Page } from '../../components/page.tsx'
import { useSession } from '../../shell/session-context.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { useTagTexts } from '../../texts/tag-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useVariableTexts } from '../../texts/variable-texts.ts'
import { DepotsTab } from './depots-tab.tsx'
import { FieldsTab } from './fields-tab.tsx'
import { ImagesTab } from './images-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { TagsTab } from './tags-tab.tsx'
import { VariablesTab } from './variables-tab.tsx'

export function InfrastructurePage() {
  const { title } = useTexts().infrastructure
  const infrastructure = useInfrastructureTexts()
  const { tab } = useParams()
  const { roles } = useSession().principal
  const { tabs } = infrastructure
  const tags = useTagTexts()
  const variables = useVariableTexts()
  const offered = [
    { id: 'depots', label: tabs.depots, role: 'computer.read', content: () => <DepotsTab /> },
    { id: 'images', label: tabs.images, role: 'package.read', content: () => <ImagesTab /> },
    { id: 'jobs', label: tabs.jobs, role: 'computer.read', content: () => <JobsTab /> },
    { id: 'tags', label: tags.tab, role: 'package.read', content: () => <TagsTab /> },
    { id: 'fields', label: tags.fields.tab, role: 'computer.read', content: () => <FieldsTab /> },
    { id: 'variables', label: variables.tab, role: 'package.read', content: () => <VariablesTab /> },
  ]
  return (
    <Page title={title} intro={infrastructure.intro}>
      <AddressTabs
        base="/infrastructure"
        tab={tab}
        label={title}
        tabs={offered.filter(({ role }) => roles.includes(role))}
      />
    </Page>
  )
}
