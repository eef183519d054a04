import { Accordion, Anchor, Badge, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import type { FailureCause } from '../../api/packages.ts'
import { causeTitle } from '../../components/cause-title.ts'
import { Moment } from '../../components/moment.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { FailingComputers } from './failing-computers.tsx'
import classes from './failure-causes.module.css'
import { RetryButton } from './retry-button.tsx'

type FailureCausesProps = {
  /** Null if the person may not see computers. */
  causes: readonly FailureCause[] | null
  empty: string
  /** Whether each cause names its package. */
  withPackage?: boolean
}

/** Failures by cause: how many computers, the output of one of them, the list of them. The open cause is in the address. */
export function FailureCauses({ causes, empty, withPackage = false }: FailureCausesProps) {
  const { values, set } = useFilters(['cause'])
  if (!causes || causes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    )
  return (
    <Accordion
      order={3}
      value={values.cause || null}
      onChange={(cause) => set({ cause: cause ?? '' })}
      keepMounted={false}
      classNames={{ control: classes.control ?? '' }}
    >
      {causes.map((cause) => (
        <Accordion.Item key={cause.causeId} value={cause.causeId}>
          <Accordion.Control>
            <CauseLine cause={cause} withPackage={withPackage} />
          </Accordion.Control>
          <Accordion.Panel>
            <CauseDetails cause={cause} withPackage={withPackage} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

type CauseProps = { cause: FailureCause; withPackage: boolean }

function CauseLine({ cause, withPackage }: CauseProps) {
  const { causes } = useTexts().packages
  const format = useFormat()
  return (
    <Group gap="md" wrap="nowrap">
      <Text component="span" className={classes.count ?? ''}>
        {format.number(cause.count)} <VisuallyHidden component="span">{causes.computers}</VisuallyHidden>
      </Text>
      <Stack gap={2} miw={0}>
        <Text component="span" size="sm" fw={600} className="breakable">
          {causeTitle(cause.cause) || causes.noOutput}
        </Text>
        <Group gap="xs">
          <Badge color="red">{cause.exitCode === null ? causes.noExitCode : causes.exitCode(cause.exitCode)}</Badge>
          {withPackage && (
            <Text component="span" size="xs" c="dimmed">
              {[cause.packageName, cause.packageVersion].filter(Boolean).join(' ')}
            </Text>
          )}
          {cause.latestFailureUtc && (
            <Text component="span" size="xs" c="dimmed">
              {causes.latest}: <Moment at={cause.latestFailureUtc} />
            </Text>
          )}
        </Group>
      </Stack>
    </Group>
  )
}

function CauseDetails({ cause, withPackage }: CauseProps) {
  const { causes } = useTexts().packages
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {causes.example(cause.exampleHostname)}
      </Text>
      <Code block className={`breakable ${classes.output}`} tabIndex={0}>
        {cause.exampleOutput || causes.noOutput}
      </Code>
      <Group gap="md">
        <RetryButton cause={cause} />
        {withPackage && (
          <Anchor component={Link} to={`/packages/${cause.packageId}?cause=${cause.causeId}`} size="sm">
            {causes.openPackage}
          </Anchor>
        )}
      </Group>
      <FailingComputers cause={cause} />
    </Stack>
  )
}
