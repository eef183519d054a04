import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import { hasStatus } from '../../api/problem.ts'
import { Facts } from '../../components/facts.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useVariableTexts } from '../../texts/variable-texts.ts'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { ChildrenOfVariable } from './children-of-variable.tsx'
import { ComputersWithValue, ConfigurationsWithValue, GroupsWithValue, PackagesWithVariable } from './variable-uses.tsx'

/** What a variable is, and everything that has a value for it or uses it. */
export function VariablePage() {
  const texts = useVariableTexts()
  const mayReadComputers = useHasRole('computer.read')
  const varId = Number(useParams().id)
  const path = { varId }
  const definition = useQuery({
    queryKey: ['variables', varId],
    queryFn: () => answerOf(api.GET('/api/variable-definitions/{varId}', { params: { path } })),
  })
  const variable = definition.data
  if (hasStatus(definition.error, 404) || Number.isNaN(varId)) return <NotFoundPage />
  if (!variable)
    return definition.error ? (
      <ProblemView error={definition.error} onRetry={definition.refetch} />
    ) : (
      <Loading height={320} />
    )
  const { dottedName, kind, description, defaultValue, isSecret, isSystem } = variable
  const hasChildren = kind === 'Category' || kind === 'Collection'
  return (
    <Page
      title={dottedName}
      intro={
        <Anchor component={Link} to="/infrastructure/variables" size="sm">
          {texts.tab}
        </Anchor>
      }
    >
      <Section title={texts.definition}>
        <Facts
          rows={[
            [texts.columns.description, description],
            [texts.columns.kind, texts.kinds[kind]],
            [texts.columns.defaultValue, defaultValue],
            [texts.secret, isSecret && <StatusBadge kind="neutral">{texts.secretHint}</StatusBadge>],
            [texts.system, isSystem && texts.systemHint],
          ]}
        />
        <Text size="xs" c="dimmed" mt="xs">
          {texts.changeHint}
        </Text>
      </Section>
      {hasChildren && <ChildrenOfVariable varId={varId} kind={kind} />}
      {kind !== 'Category' && (
        <Stack gap="xl">
          <PackagesWithVariable varId={varId} />
          <GroupsWithValue varId={varId} />
          <ConfigurationsWithValue varId={varId} />
          {mayReadComputers && <ComputersWithValue varId={varId} />}
        </Stack>
      )}
    </Page>
  )
}
