import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { packageLineQuery } from '../../../api/package-lines.ts'
import type { Package } from '../../../api/packages.ts'
import { NamedField } from '../../../components/named-field.tsx'
import { usePackageLineTexts } from '../../../texts/package-line-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'

/** Says of which line the package is a version, for software that its vendor has renamed. */
export function LinePanel({ found: { id, name }, ...panel }: PanelProps & { found: Package }) {
  const { line: texts } = usePackageLineTexts()
  const { common } = useTexts()
  const { data } = useQuery(packageLineQuery(id))
  const [typed, setTyped] = useState<string>()
  const [settled] = useDebouncedValue(typed, 300)
  const shown = typed ?? data?.name ?? ''
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.title(name),
        label: common.save,
        requestKey: settled,
        isComplete: typed !== undefined && settled === typed,
        form: (
          <NamedField name="line">
            <TextInput
              data-autofocus
              label={texts.field}
              description={texts.hint}
              autoComplete="off"
              value={shown}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </NamedField>
        ),
        send: ({ uncounted: query }) =>
          api.PUT('/api/packages/{id}/line', {
            params: { path: { id }, query },
            body: { line: shown.trim() || null },
          }),
        describe: ({ answer }) => texts.joins(answer.name, answer.versions.length),
        done: () => ({ text: common.saved }),
        refreshes: [['package', id], ['packages'], ['package-lines']],
      }}
    />
  )
}
