"""What is typed into or chosen from: fields, forms, cells."""
