import { Button, EmptyState, Skeleton, Stack } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { hasStatus } from '../../api/problem.ts'
import { AddressTabs } from '../../components/address-tabs.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useLive } from '../../live/use-live.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ComputerActions } from './computer-actions.tsx'
import { type ComputerPageData, computerKey, useComputerPage } from './computer-data.ts'
import { ComputerHeader } from './computer-header.tsx'
import { useComputerTabs } from './use-computer-tabs.tsx'

export function ComputerPage() {
  const { id = '' } = useParams()
  // Another computer is another page: nothing that was opened or typed moves over to it.
  return /^\d{1,9}$/.test(id) ? <OneComputer key={id} id={Number(id)} /> : <UnknownComputer />
}

const liveTypes = ['computer', 'inventory', 'issue', 'deployment', 'work', 'patch'].map((topic) => `muster.${topic}.*`)

function OneComputer({ id }: { id: number }) {
  const { computer } = useTexts()
  const { data, error, refetch } = useComputerPage(id)
  useLive({ types: liveTypes, computerId: id, refreshes: [computerKey(id)] })
  // The computer may also be deleted while the page is open.
  if (hasStatus(error, 404)) return <UnknownComputer />
  if (data) return <Content page={data} />
  return (
    <Page title={computer.title}>
      {error ? (
        <ProblemView error={error} onRetry={refetch} />
      ) : (
        <Stack aria-busy>
          <Skeleton h={56} />
          <Skeleton h={36} />
          <Skeleton h={220} />
        </Stack>
      )}
    </Page>
  )
}

function Content({ page }: { page: ComputerPageData }) {
  const { computer } = useTexts()
  const { tab } = useParams()
  const { id, hostname } = page.computer
  return (
    <Page title={hostname} actions={<ComputerActions page={page} />}>
      <ComputerHeader page={page} />
      <AddressTabs base={`/computers/${id}`} tab={tab} tabs={useComputerTabs(page)} label={computer.tabsOf(hostname)} />
    </Page>
  )
}

function UnknownComputer() {
  const { computer } = useTexts()
  return (
    <Page title={computer.unknownTitle}>
      <EmptyState p="xl" title={computer.unknownHint} description={computer.unknownText}>
        <Button component={Link} to="/computers" variant="default">
          {computer.toList}
        </Button>
      </EmptyState>
    </Page>
  )
}
