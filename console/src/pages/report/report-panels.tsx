import { DeleteReview } from '../../actions/delete-review.tsx'
import { EditReview } from '../../actions/edit-review.tsx'
import { PauseReview } from '../../actions/pause-review.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { OtherChange } from '../../actions/use-edited.ts'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api, type Versioned } from '../../api/client.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { textFor } from '../../texts/texts.tsx'
import { ReportFields, toChanges, useWebhookChoices, valuesOfReport } from '../reports/report-fields.tsx'
import { type Report, reportsKey } from '../reports/reports.ts'

type ReportPanelProps = PanelProps & { version: Versioned<Report> }

const refreshes = [reportsKey]

export function EditPanel({ version, isOpen, onClose }: ReportPanelProps) {
  const texts = useReportTexts()
  const { id, name } = version.value
  const inWords = useChangeInWords()
  return (
    <EditReview
      isOpen={isOpen}
      onClose={onClose}
      version={{ etag: version.etag, value: valuesOfReport(version.value) }}
      title={texts.editTitle(name)}
      labels={{ ...texts.fields, webhookId: texts.fields.webhook }}
      inWords={inWords}
      fields={(values, type) => <ReportFields values={values} onChange={type} />}
      isComplete={(values) => values.name.trim() !== ''}
      send={({ uncounted: query, headers }, { values, typed }) =>
        api.PATCH('/api/reports/{id}', {
          params: { path: { id }, query, header: headers },
          body: toChanges(typed, values),
        })
      }
      describe={() => texts.edits}
      refreshes={refreshes}
    />
  )
}

/** The words of the fields for what others change. */
function useChangeInWords() {
  const { formats, frequencies, weekdays } = useReportTexts()
  const webhooks = useWebhookChoices()
  const words: Record<string, Record<string, string>> = {
    ...{ format: formats, frequency: frequencies, weekday: weekdays },
    webhookId: Object.fromEntries(webhooks.map(({ value, label }) => [value, label])),
  }
  return ({ name, before, now }: OtherChange): OtherChange => {
    const inWords = (value: unknown) => textFor(words[name] ?? {}, String(value)) ?? value
    return { name, before: inWords(before), now: inWords(now) }
  }
}

export function PausePanel({ version, isOpen, onClose }: ReportPanelProps) {
  const texts = useReportTexts()
  return (
    <PauseReview
      isOpen={isOpen}
      onClose={onClose}
      version={version}
      texts={texts}
      send={({ uncounted: query, headers }, body) =>
        api.PATCH('/api/reports/{id}', { params: { path: { id: version.value.id }, query, header: headers }, body })
      }
      refreshes={refreshes}
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
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/reports/{id}/runs', {
            params: { path: { id }, query, header: headers },
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
    <DeleteReview
      isOpen={isOpen}
      onClose={onClose}
      version={version}
      labels={texts.fields}
      title={texts.deleteTitle(name)}
      label={texts.delete}
      send={({ uncounted: query, headers }) =>
        api.DELETE('/api/reports/{id}', { params: { path: { id }, query, header: headers } })
      }
      describe={() => texts.deletes}
      done={() => ({ text: texts.deleted(name), to: '/reports' })}
      refreshes={refreshes}
    />
  )
}
