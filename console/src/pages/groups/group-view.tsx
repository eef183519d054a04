import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { Loading } from '../../components/loading.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useLive } from '../../live/use-live.ts'
import { useTexts } from '../../texts/texts.tsx'
import { groupKey, groupQuery } from './group-queries.ts'
import { GroupSummary } from './group-summary.tsx'
import { AssignmentsTab } from './tabs/assignments-tab.tsx'
import { MembersTab } from './tabs/members-tab.tsx'
import { OptionsTab } from './tabs/options-tab.tsx'
import { SubgroupsTab } from './tabs/subgroups-tab.tsx'
import { VariablesTab } from './tabs/variables-tab.tsx'
import { WhyTab } from './tabs/why-tab.tsx'

type GroupViewProps = { id: string; tab: string | undefined; query: string }

/** The chosen group: its figures, and tabs with everything that belongs to it. */
export function GroupView({ id, tab, query }: GroupViewProps) {
  const { groups } = useTexts()
  const { data: page, error, refetch } = useQuery(groupQuery(id))
  useLive({
    types: ['muster.group.*', 'muster.assignment.*', 'muster.work.*', 'muster.rollout.*'],
    refreshes: [groupKey(id)],
  })
  if (error && !page) return <ProblemView error={error} onRetry={refetch} />
  if (!page) return <Loading height={320} />
  const { tabs } = groups
  return (
    <Stack gap="md">
      {page.description && <Text className="breakable">{page.description}</Text>}
      <GroupSummary page={page} />
      <AddressTabs
        base={`/groups/${id}`}
        tab={tab}
        search={query}
        label={groups.parts}
        tabs={[
          { id: 'members', label: tabs.members, content: () => <MembersTab page={page} /> },
          { id: 'assignments', label: tabs.assignments, content: () => <AssignmentsTab page={page} /> },
          { id: 'variables', label: tabs.variables, content: () => <VariablesTab page={page} /> },
          { id: 'options', label: tabs.options, content: () => <OptionsTab page={page} /> },
          { id: 'subgroups', label: tabs.subgroups, content: () => <SubgroupsTab page={page} query={query} /> },
          { id: 'why', label: tabs.why, content: () => <WhyTab page={page} /> },
        ]}
      />
    </Stack>
  )
}
