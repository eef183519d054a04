import { Accordion, Alert, Anchor, Code, List, Progress, Stack, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { isTrialOpen, type PackageTrial, type TrialStep } from '../../../api/package-trials.ts'
import { Facts } from '../../../components/facts.tsx'
import { IconAlertTriangle } from '../../../components/icons.ts'
import { Moment } from '../../../components/moment.tsx'
import { useFormat } from '../../../texts/format.ts'
import { usePackageTrialTexts } from '../../../texts/package-trial-texts.ts'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import classes from '../failure-causes.module.css'

/** How far a trial is, or what became of it: its steps with their logs, and what is left behind. */
export function TrialResult({ trial }: { trial: PackageTrial }) {
  const texts = usePackageTrialTexts()
  const { computerId, hostname, startedBy, startedAtUtc, steps } = trial
  return (
    <>
      <Facts
        rows={[
          [
            texts.on,
            computerId === null ? (
              hostname
            ) : (
              <Anchor key="computer" component={Link} to={`/computers/${computerId}`} size="sm">
                {hostname}
              </Anchor>
            ),
          ],
          [texts.when, <Moment key="when" at={startedAtUtc} />],
          [texts.by, startedBy],
        ]}
      />
      {isTrialOpen(trial) && <Underway trial={trial} />}
      {!isTrialOpen(trial) && <Ending trial={trial} />}
      {steps.length > 0 && <Steps steps={steps} />}
      {steps.length > 0 && <Leftovers trial={trial} />}
    </>
  )
}

function Underway({ trial: { state, progress, blockers, expiresAtUtc } }: { trial: PackageTrial }) {
  const texts = usePackageTrialTexts()
  const format = useFormat()
  if (state === 'Running')
    return (
      <Progress.Root size="lg">
        <Progress.Section
          value={Math.max(progress ?? 0, 5)}
          animated
          aria-label={texts.progress(format.percent((progress ?? 0) / 100))}
        />
      </Progress.Root>
    )
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={600}>
        {texts.waitsFor}
      </Text>
      <List size="sm">
        {blockers.length === 0 && <List.Item>{texts.nextContact}</List.Item>}
        {blockers.map(({ reason, message }) => (
          <List.Item key={reason}>{message}</List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        {texts.expires} <Moment at={expiresAtUtc} />
      </Text>
    </Stack>
  )
}

function Ending({ trial: { cancelReason, errorText, isCurrentContent } }: { trial: PackageTrial }) {
  const why = useWhyTexts()
  const texts = usePackageTrialTexts()
  const reason = cancelReason && why.cancelReasons[cancelReason]()
  return (
    <>
      {(errorText || reason) && (
        <Alert color={errorText ? 'red' : 'orange'} icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm" className="breakable">
            {[reason, errorText].filter(Boolean).join(' ')}
          </Text>
        </Alert>
      )}
      {!isCurrentContent && <Alert color="orange">{texts.otherContent}</Alert>}
    </>
  )
}

const durationOf = ({ startedUtc, finishedUtc }: TrialStep) =>
  Math.max(0, Date.parse(finishedUtc) - Date.parse(startedUtc)) / 1_000

function Steps({ steps }: { steps: readonly TrialStep[] }) {
  const texts = usePackageTrialTexts()
  return (
    <>
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {[texts.step, texts.before, texts.after, texts.exitCode, texts.duration].map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {steps.map((step) => (
              <Table.Tr key={step.step}>
                <Table.Td>{texts.steps[step.step]}</Table.Td>
                <Table.Td>{texts.detected(step.detectedBefore)}</Table.Td>
                <Table.Td>{texts.detected(step.detectedAfter)}</Table.Td>
                <Table.Td>{step.exitCode ?? '–'}</Table.Td>
                <Table.Td>{texts.seconds(durationOf(step))}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Accordion multiple order={3} keepMounted={false}>
        {steps.map((step) => (
          <Accordion.Item key={step.step} value={step.step}>
            <Accordion.Control>{texts.log(texts.steps[step.step])}</Accordion.Control>
            <Accordion.Panel>
              <StepLog step={step} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  )
}

function StepLog({ step: { commandLine, errorText, output } }: { step: TrialStep }) {
  const texts = usePackageTrialTexts()
  return (
    <Stack gap="xs">
      {commandLine && (
        <Text size="sm" className="breakable">
          {texts.command}: <Code>{commandLine}</Code>
        </Text>
      )}
      {errorText && (
        <Text size="sm" c="red" className="breakable">
          {errorText}
        </Text>
      )}
      <Code block className={`breakable ${classes.output}`} tabIndex={0}>
        {output || texts.noLog}
      </Code>
    </Stack>
  )
}

function Leftovers({ trial: { leftovers, leftoverCount, leftoversComplete } }: { trial: PackageTrial }) {
  const texts = usePackageTrialTexts()
  const count = leftoverCount ?? 0
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {texts.leftovers}
      </Text>
      {(count > 0 || leftoversComplete) && (
        <Text size="sm">{count === 0 ? texts.noLeftovers : texts.leftoverCount(count)}</Text>
      )}
      {!leftoversComplete && <Text size="sm">{texts.leftoversUnknown}</Text>}
      <List size="sm">
        {leftovers.map(({ kind, name }) => (
          <List.Item key={`${kind} ${name}`} className="breakable">
            {texts.leftoverKinds[kind]}: <Code>{name}</Code>
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
