module field

go 1.25
