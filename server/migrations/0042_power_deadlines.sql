-- How long the person at a computer may delay the power action of the activation. Null: only its own minutes count.
alter table sliced_activations add column user_deadline jsonb;
