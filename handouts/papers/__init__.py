"""What `trustscope reproduce` leaves: tables, pictures, a report page, and the page of the documentation."""
