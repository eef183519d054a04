import { Alert } from '@mantine/core'
import type { components } from '../../api/types.ts'
import { useGroupRuleTexts } from '../../texts/group-rule-texts.ts'

/** Says that agents decide by what they report about their computers who becomes a member of a group. */
export function ReportedPropertiesWarning({
  warning,
}: {
  warning: components['schemas']['GroupRule']['warning'] | undefined
}) {
  const texts = useGroupRuleTexts()
  return (
    warning && (
      <Alert color="orange" title={texts.warning}>
        {texts.warnings[warning.code]}
      </Alert>
    )
  )
}
