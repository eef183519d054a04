import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Section } from '../../components/section.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { CreatePolicy } from './create-policy.tsx'
import { useRuleWords } from './describe-rule.ts'
import { type PatchPolicy, policiesKey } from './policies.ts'

/** The patch policies, those that decide first at the top. */
export function PolicyList() {
  const texts = usePatchPolicyTexts()
  const mayApprove = useHasRole('pm.approve')
  const columns = useColumns()
  const pages = useListPages({
    queryKey: policiesKey,
    load: (page) => api.GET('/api/patch-policies', { params: { query: { top: 50, ...page } } }),
  })
  return (
    <Section title={texts.title} actions={mayApprove && <CreatePolicy />}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.intro}
      </Text>
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={pages.rows}
        rowKey={({ id }) => id}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.emptyTitle, text: texts.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </Section>
  )
}

function useColumns(): Column<PatchPolicy>[] {
  const { columns } = usePatchPolicyTexts()
  const format = useFormat()
  const words = useRuleWords()
  return [
    {
      id: 'name',
      title: columns.name,
      cell: ({ id, name, description }) => (
        <>
          <Anchor component={Link} to={`/patch-policies/${id}`} size="sm" fw={600}>
            {name}
          </Anchor>
          {description && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'rules',
      title: columns.rules,
      cell: ({ rules }) =>
        rules.slice(0, maxShownRules).map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a rule.
          <Text key={at} size="sm" className="breakable">
            {words(rule).does}: {words(rule).matches}
          </Text>
        )),
    },
    {
      id: 'priority',
      title: columns.priority,
      cell: ({ priority }) => format.number(priority),
      width: 100,
      isAtEnd: true,
    },
    {
      id: 'groups',
      title: columns.groups,
      cell: ({ assignmentCount }) => format.number(assignmentCount),
      width: 100,
      isAtEnd: true,
    },
  ]
}

const maxShownRules = 3
