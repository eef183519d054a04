import { TextInput } from '@mantine/core'
import { IconSearch } from './icons.ts'
import { useTyped } from './use-typed.ts'

type SearchFieldProps = { label: string; placeholder: string; value: string; onSearch: (text: string) => void }

export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useTyped(value, onSearch)
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      miw={280}
    />
  )
}
