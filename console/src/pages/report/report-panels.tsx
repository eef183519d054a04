import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api, type Versioned } from '../../api/client.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ReportFields, type ReportValues, toRequest, valuesOfReport } from '../reports/report-fields.tsx'
import { type Report, reportsKey } from '../reports/reports.ts'

type ReportPanelProps = PanelProps & { version: Versioned<Report> }

const refreshes = [reportsKey]

export function EditPanel({ version, isOpen, onClose }: ReportPanelProps) {
  const texts = useReportTexts()
  const { common } = useTexts()
  // What the person has seen stays what the change is based on: the page behind the panel follows the report.
  const [{ value, etag }] = useState(version)
  const [typed, setTyped] = useState(() => valuesOfReport(value))
  const [settled] = useDebouncedValue(typed, 250)
  const change = (changes: Partial<ReportValues>) => setTyped((before) => ({ ...before, ...changes }))
  const { id, name } = value
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.editTitle(name),
        label: common.save,
        requestKey: { settled, etag },
        isComplete: typed.name.trim() !== '' && settled === typed,
        etag,
        form: (
          <Stack gap="sm">
            <ReportFields values={typed} onChange={change} />
          </Stack>
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/reports/{id}', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body: toRequest(typed),
          }),
        describe: () => texts.edits,
        done: () => ({ text: common.saved }),
        refreshes,
      }}
    />
  )
}

/** Pauses the report, or lets it continue: whichever the person chose, even if somebody else does the same meanwhile. */
export function PausePanel({ version, isOpen, onClose }: ReportPanelProps) {
  const texts = useReportTexts()
  const { id, name } = version.value
  const [isPaused] = useState(!version.value.isPaused)
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: isPaused ? texts.pauseTitle(name) : texts.resumeTitle(name),
        label: isPaused ? texts.pause : texts.resume,
        requestKey: [isPaused, version.etag],
        etag: version.etag,
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/reports/{id}', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body: { isPaused },
          }),
        describe: () => (isPaused ? texts.pauses : texts.resumes),
        done: () => ({ text: isPaused ? texts.paused : texts.resumed }),
        refreshes,
      }}
    />
  )
}

export function RunPanel({ version, isOpen, onClose }: ReportPanelProps) {
  const texts = useReportTexts()
  const { id, name } = version.value
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.runTitle(name),
        label: texts.run,
        send: ({ query: { dryRun }, headers }) =>
          api.POST('/api/reports/{id}/runs', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
          }),
        describe: () => texts.runs,
        done: () => ({ text: texts.runStarted }),
        refreshes,
      }}
    />
  )
}

export function DeletePanel({ version, isOpen, onClose }: ReportPanelProps) {
  const texts = useReportTexts()
  const { id, name } = version.value
  return (
    <ReviewPanel<unknown>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.deleteTitle(name),
        label: texts.delete,
        isSevere: true,
        requestKey: version.etag,
        etag: version.etag,
        send: ({ query: { dryRun }, headers }) =>
          api.DELETE('/api/reports/{id}', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
          }),
        describe: () => texts.deletes,
        done: () => ({ text: texts.deleted(name), to: '/reports' }),
        refreshes,
      }}
    />
  )
}
