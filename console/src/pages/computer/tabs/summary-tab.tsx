import { SimpleGrid, Stack } from '@mantine/core'
import type { ComputerPageData } from '../computer-data.ts'
import { DeviceFacts } from './summary/device-facts.tsx'
import { GroupsOfComputer } from './summary/groups-of-computer.tsx'
import { IssueList } from './summary/issue-list.tsx'
import { LatestActivity } from './summary/latest-activity.tsx'
import { LatestTasks } from './summary/latest-tasks.tsx'
import { OsInstallation } from './summary/os-installation.tsx'
import { OsReadinessSection } from './summary/os-readiness.tsx'
import { SoftwareOutcome } from './summary/software-outcome.tsx'

/** What somebody wants to know first. Only the installation of an operating system takes requests of its own. */
export function SummaryTab({ page }: { page: ComputerPageData }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Stack gap="md">
        {page.computer.isPxeActive && <OsInstallation page={page} />}
        <SoftwareOutcome page={page} />
        <IssueList page={page} />
        <LatestTasks page={page} />
      </Stack>
      <Stack gap="md">
        <DeviceFacts page={page} />
        <OsReadinessSection page={page} />
        <GroupsOfComputer page={page} />
        <LatestActivity page={page} />
      </Stack>
    </SimpleGrid>
  )
}
