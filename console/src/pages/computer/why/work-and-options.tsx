import { Anchor, SimpleGrid } from '@mantine/core'
import { Link } from 'react-router'
import { Facts } from '../../../components/facts.tsx'
import { Moment } from '../../../components/moment.tsx'
import { useDeadlineRows } from '../../../components/user-deadline/use-deadline-rows.ts'
import { useFormat } from '../../../texts/format.ts'
import { usePreDownloadTexts } from '../../../texts/pre-download-texts.ts'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import type { Explanation } from './explanation.ts'
import { Part } from './part.tsx'
import { RequiredBy, Requirements } from './relations.tsx'
import classes from './why.module.css'

/** The work item, the options by which it is carried out, and what else concerns it. */
export function WorkAndOptions({ explanation }: { explanation: Explanation }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Work work={explanation.work} />
      <Options options={explanation.options} />
      <Rollouts rollouts={explanation.rollouts} />
      <Requirements requirements={explanation.requirements} />
      <RequiredBy requiring={explanation.requiredBy} />
      <OtherVersions versions={explanation.otherVersions} />
    </SimpleGrid>
  )
}

function Work({ work }: { work: Explanation['work'] }) {
  const why = useWhyTexts()
  const preDownloads = usePreDownloadTexts()
  const format = useFormat()
  if (!work) return null
  const { facts } = why
  const describe = ({ state, fetchedBytes, message }: NonNullable<typeof work.preDownload>) =>
    [preDownloads.states[state], state === 'Fetching' && format.bytes(fetchedBytes), message].filter(Boolean).join(', ')
  return (
    <Part title={why.work}>
      <Facts
        rows={[
          [facts.kind, why.workKinds[work.kind]],
          [facts.state, why.workStates[work.state]],
          [facts.requested, <Moment key="at" at={work.createdUtc} />],
          [facts.attempts, work.attempt > 0 ? format.number(work.attempt) : null],
          [facts.failures, work.failures > 0 ? format.number(work.failures) : null],
          [facts.postponements, work.postponements > 0 ? format.number(work.postponements) : null],
          [facts.progress, work.progress !== null ? format.percent(work.progress / 100) : null],
          [preDownloads.title, work.preDownload && describe(work.preDownload)],
          [
            facts.task,
            <Anchor key="task" component={Link} to={`/tasks/${work.trackingId}`} fz="inherit">
              {why.openTask}
            </Anchor>,
          ],
        ]}
      />
    </Part>
  )
}

function Options({ options }: { options: Explanation['options'] }) {
  const why = useWhyTexts()
  const format = useFormat()
  const deadlineRows = useDeadlineRows(options?.userDeadline ?? null)
  const preDownloads = usePreDownloadTexts()
  if (!options) return null
  const { facts } = why
  return (
    <Part title={why.options}>
      <Facts
        rows={[
          [facts.from, options.groupPath ?? why.defaultOptions],
          [facts.commands, options.commands.map((name) => why.commands[name]).join(', ')],
          [facts.schedule, options.schedule || why.anyTime],
          [facts.mayPostpone, options.revokeCount > 0 ? why.times(options.revokeCount) : null],
          [facts.mayPostponeUntil, options.revokeDateUtc && format.dateTime(options.revokeDateUtc)],
          [facts.offeredUntil, options.optionalDateUtc && format.dateTime(options.optionalDateUtc)],
          [facts.wakeOnLan, options.wakeOnLan ? why.yes : null],
          [preDownloads.title, options.preDownload ? why.yes : null],
          ...deadlineRows,
        ]}
      />
    </Part>
  )
}

function Rollouts({ rollouts }: Pick<Explanation, 'rollouts'>) {
  const why = useWhyTexts()
  if (rollouts.length === 0) return null
  return (
    <Part title={why.rollouts}>
      <ul className={classes.list}>
        {rollouts.map(({ rolloutId, name, state, ring, ringName, ringState }) => (
          <li key={rolloutId}>
            <Anchor component={Link} to={`/rollouts/${rolloutId}`} fz="inherit" underline="always">
              {name}
            </Anchor>{' '}
            ({why.rolloutStates[state]})
            <div className={classes.path}>{why.ring(ring, ringName, why.ringStates[ringState])}</div>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function OtherVersions({ versions }: { versions: Explanation['otherVersions'] }) {
  const why = useWhyTexts()
  if (versions.length === 0) return null
  return (
    <Part title={why.otherVersions}>
      <ul className={classes.list}>
        {versions.map(({ packageId, version, installed, assigned }) => (
          <li key={packageId}>
            <Anchor component={Link} to={`/packages/${packageId}`} fz="inherit" underline="always">
              {version ?? why.noVersion}
            </Anchor>{' '}
            ({[installed && why.installed, assigned && why.assigned].filter(Boolean).join(', ')})
          </li>
        ))}
      </ul>
    </Part>
  )
}
