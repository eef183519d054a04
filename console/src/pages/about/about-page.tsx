import { Alert, Anchor, DataList, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { readinessQuery } from '../../api/readiness.ts'
import { HealthFindings } from '../../components/health-findings.tsx'
import { Loading } from '../../components/loading.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useHasRole, useSession } from '../../shell/session-context.ts'
import { useAboutTexts } from '../../texts/about-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { DuplicateNames } from './duplicate-names.tsx'

export function AboutPage() {
  const about = useAboutTexts()
  return (
    <Page title={about.title} intro={about.intro}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card title={about.health}>
          <Health />
        </Card>
        <Card title={about.versions}>{useHasRole('computer.read') ? <Versions /> : <PagesVersion />}</Card>
        <Card title={about.session}>
          <YourSession />
        </Card>
      </SimpleGrid>
      <DuplicateNames />
      <Anchor href="/openapi/v1.json" size="sm">
        {about.reference}
      </Anchor>
    </Page>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
    </Paper>
  )
}

function Health() {
  const { health } = useTexts()
  const about = useAboutTexts()
  const { data, error, refetch } = useQuery(readinessQuery)
  if (error) return <ProblemView error={error} onRetry={refetch} />
  if (!data) return <Loading height={48} />
  if (data.status === 'ready') return <Alert color="green">{about.healthy}</Alert>
  return (
    <Alert
      color={data.status === 'degraded' ? 'yellow' : 'red'}
      title={data.status === 'degraded' ? health.degraded : health.unavailable}
    >
      <HealthFindings readiness={data} />
    </Alert>
  )
}

function Versions() {
  const about = useAboutTexts()
  const { data, error, refetch } = useQuery({ queryKey: ['system'], queryFn: () => answerOf(api.GET('/api/system')) })
  if (error) return <ProblemView error={error} onRetry={refetch} />
  if (!data) return <Loading height={120} />
  const { version, releasedUtc, patchCount } = data.patchCatalog
  return (
    <Facts
      facts={[
        [about.pages, __PAGES_VERSION__],
        [about.service, data.serviceVersion],
        [about.database, data.databaseVersion],
        [about.migration, data.databaseMigration],
        [
          about.patchCatalog,
          version === null ? (
            about.noCatalog
          ) : (
            <Fragment key="catalog">
              {version}, {about.patches(patchCount ?? 0)}
              {releasedUtc && (
                <>
                  , <Moment at={releasedUtc} />
                </>
              )}
            </Fragment>
          ),
        ],
      ]}
    />
  )
}

function PagesVersion() {
  const about = useAboutTexts()
  return (
    <>
      <Facts facts={[[about.pages, __PAGES_VERSION__]]} />
      <Text size="sm" c="dimmed">
        {about.versionsNeedRole}
      </Text>
    </>
  )
}

function YourSession() {
  const about = useAboutTexts()
  const { principal, provider, expiresAtUtc, idleMilliseconds } = useSession()
  return (
    <>
      <Facts
        facts={[
          [about.signedInAs, principal.displayName],
          [about.signedInBy, provider ?? about.localCredentials],
          [about.yourRoles, principal.roles.join(', ')],
          [about.endsAt, <Moment key="end" at={expiresAtUtc} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        {about.idleHint(Math.round(idleMilliseconds / 60_000))}
      </Text>
    </>
  )
}

function Facts({ facts }: { facts: [label: string, value: ReactNode][] }) {
  return (
    <DataList labelWidth={140}>
      {facts.map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}
